import { useEffect } from "react";

/** The heading of a page, which its tab in the browser shows too. */
export function Title({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · Gamehall`;
    return () => {
      document.title = "Gamehall";
    };
  }, [children]);
  return <h1>{children}</h1>;
}
