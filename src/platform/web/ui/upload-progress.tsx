type UploadProgressProps = {
  /** 0 to 1. */
  fraction: number;
};

/** How much of an upload has left this device, as a bar and in words. */
export function UploadProgress({ fraction }: UploadProgressProps) {
  const percent = Math.floor(fraction * 100);
  const isOnItsWay = percent < 100;
  return (
    <div className="w-full">
      <div
        role="progressbar"
        aria-label="Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full origin-left bg-action transition-transform duration-150"
          style={{ transform: `scaleX(${fraction})` }}
        />
      </div>
      <p className="mt-1.5 text-sm text-soft tabular-nums">
        {isOnItsWay ? `Sending: ${percent}%` : 'Sent; the server is looking at it…'}
      </p>
    </div>
  );
}
