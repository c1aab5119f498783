import { useText } from "../text/text.ts";
import type { Picture } from "../wire/messages.ts";
import { tableTexts } from "./texts.ts";

interface Props {
  picture: Picture;
  act: ((command: unknown) => void) | null;
}

/** Any game, by the drawing that its rules give: a grid of cells, some of which can be clicked. */
export function PictureBoard({ picture, act }: Props) {
  const t = useText(tableTexts);
  return (
    <figure className="picture">
      {picture.caption && <figcaption>{picture.caption}</figcaption>}
      <div className="picture-grid" role="group" aria-label={t.picture}>
        {picture.rows.map((row, y) => (
          <div key={y} className="picture-row">
            {row.map(({ label, tone, command }, x) =>
              command === undefined || command === null ? (
                <span key={x} className="picture-cell" data-tone={tone}>
                  {label}
                </span>
              ) : (
                <button
                  key={x}
                  type="button"
                  className="picture-cell"
                  data-tone={tone}
                  disabled={act === null}
                  aria-label={label || spoken(command)}
                  onClick={() => act?.(command)}
                >
                  {label}
                </button>
              ),
            )}
          </div>
        ))}
      </div>
    </figure>
  );
}

/** A name for a cell that shows nothing: what a click on it sends. */
function spoken(command: unknown): string {
  const { type, ...fields } = command as Record<string, unknown>;
  return [type, ...Object.values(fields)].join(" ");
}
