/** Drawn here, since not every system has a font with them. */

export function MuteIcon({ muted }: { muted: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
    >
      <path d="M3 7.5h3l4-3.5v12l-4-3.5H3z" fill="currentColor" />
      {muted ? <path d="M13 7l5 6m0-6l-5 6" /> : <path d="M13 7a4 4 0 0 1 0 6m2.5-8.5a7.5 7.5 0 0 1 0 11" />}
    </svg>
  );
}

export function FlagIcon() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="currentColor">
      <path d="M4 2h2v16H4zM7 3h10l-3 4 3 4H7z" />
    </svg>
  );
}
