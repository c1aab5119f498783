import type { ComponentProps } from "react";
import { useBusy } from "./useBusy.ts";

interface Props extends Omit<ComponentProps<"button">, "onClick" | "type"> {
  run: () => Promise<unknown>;
}

/** A button that asks the hall for something: once, however often it is clicked meanwhile. */
export function Action({ run, className = "button small", ...rest }: Props) {
  const [busy, start] = useBusy();
  return <button type="button" className={className} aria-busy={busy} {...rest} onClick={() => start(run)} />;
}
