import { useRef, useState } from "react";
import { attempt } from "./toasts.ts";

/** Something that a click asks for, and that is not asked for again before it was answered. */
export function useBusy(): [busy: boolean, run: (ask: () => Promise<unknown>) => void] {
  const [busy, setBusy] = useState(false);
  // Two clicks may come before anything is drawn.
  const asking = useRef(false);
  return [
    busy,
    (ask) => {
      if (asking.current) return;
      asking.current = true;
      setBusy(true);
      void attempt(ask()).finally(() => {
        asking.current = false;
        setBusy(false);
      });
    },
  ];
}
