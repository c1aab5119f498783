import { useState } from "react";
import { link, usePlace } from "../routes.ts";
import { chooseLanguage, LANGUAGES, type Language, useLanguage, useText } from "../text/text.ts";
import { useConnectionState, usePlayer } from "../wire/session.ts";
import { shellTexts } from "./texts.ts";
import { chooseTheme, keptTheme, THEMES, type Theme } from "./theme.ts";

const PAGES = ["history", "standings", "tournaments", "arena"] as const;

export function Header() {
  const t = useText(shellTexts);
  const [first] = usePlace().path;
  return (
    <header className="header">
      <a className="skip button" href="#content" onClick={skip}>
        {t.skip}
      </a>
      <a className="brand" href={link()}>
        <span className="brand-mark" aria-hidden="true" />
        Gamehall
      </a>
      <nav aria-label={t.menu}>
        <a href={link()} aria-current={first === undefined ? "page" : undefined}>
          {t.hall}
        </a>
        {PAGES.map((page) => (
          <a key={page} href={link(page)} aria-current={first === page ? "page" : undefined}>
            {t[page]}
          </a>
        ))}
      </nav>
      <div className="row header-end">
        <Choices />
        <Me />
      </div>
      <Offline />
    </header>
  );
}

/** The hash is the page's own, so the browser cannot jump there by itself. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function Me() {
  const t = useText(shellTexts);
  const player = usePlayer();
  return (
    <a className="button small" href={link("account")} aria-label={player ? t.account(player.name) : undefined}>
      {player ? player.name : t.logIn}
    </a>
  );
}

function Choices() {
  const t = useText(shellTexts);
  const language = useLanguage();
  const [theme, setTheme] = useState(keptTheme);
  const names = { system: t.themeSystem, light: t.themeLight, dark: t.themeDark };
  return (
    <>
      <select
        aria-label={t.language}
        value={language}
        onChange={(event) => chooseLanguage(event.target.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t.theme}
        value={theme}
        onChange={(event) => {
          const chosen = event.target.value as Theme;
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </>
  );
}

function Offline() {
  const t = useText(shellTexts);
  const state = useConnectionState();
  return (
    <p className={state === "offline" ? "offline" : "hidden-text"} role="status" data-connection={state}>
      {state === "offline" ? t.offline : state === "connecting" ? t.connecting : ""}
    </p>
  );
}
