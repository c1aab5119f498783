import "./stone.css";

/** A stone of seat 0 (with a dot) or 1 (with a ring): the mark tells them apart without colour. */
export function Stone({ seat, className = "" }: { seat: number; className?: string }) {
  return <span className={`stone stone-${seat} ${className}`} />;
}
