import type { ReactNode } from "react";

/** What a screen reader says when it changes; nothing is seen of it. */
export function Spoken({ children }: { children: ReactNode }) {
  return (
    <p className="hidden-text" aria-live="polite">
      {children}
    </p>
  );
}
