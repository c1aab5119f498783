import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { shellTexts } from "./texts.ts";
import { useToasts } from "./toasts.ts";

export function Toasts() {
  const t = useText(shellTexts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {useToasts().map(({ number, what, actions, dismiss }) => (
        <div key={number} className="toast">
          {typeof what === "string" ? <p>{what}</p> : <RefusalText refusal={what} />}
          <div className="row">
            {actions.map(({ label, primary, run }) => (
              <button
                key={label}
                type="button"
                className={primary ? "button small primary" : "button small"}
                onClick={() => {
                  dismiss();
                  run();
                }}
              >
                {label}
              </button>
            ))}
            <button type="button" className="button small" aria-label={t.dismiss} onClick={dismiss}>
              ✕
            </button>
          </div>
        </div>
      ))}
    </div>
  );
}
