// For browsers that know no modules, and perhaps no nonces: they run this file alone.
location.replace('/too-old.html');
