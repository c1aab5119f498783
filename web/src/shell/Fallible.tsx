import { Component, type ReactNode } from "react";
import { currentLanguage } from "../text/text.ts";
import { shellTexts } from "./texts.ts";

/** A fault in one part of the page leaves the others as they are, and says so. */
export class Fallible extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const t = shellTexts[currentLanguage()];
    return (
      <div className="stack" role="alert">
        <p>{t.fault}</p>
        <p>
          <button type="button" className="button primary" onClick={() => location.reload()}>
            {t.reload}
          </button>
        </p>
      </div>
    );
  }
}
