// Imported before React DOM, which otherwise measures each render and each effect for the timeline of the developer
// tools, and compares props to tell there why something was rendered.
Reflect.deleteProperty(console, 'timeStamp');
