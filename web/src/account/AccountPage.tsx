import { useState } from "react";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { Title } from "../shell/Title.tsx";
import { attempt } from "../shell/toasts.ts";
import { useLanguage, useText } from "../text/text.ts";
import { connection, usePlayer } from "../wire/session.ts";
import { accountTexts } from "./texts.ts";

export function AccountPage() {
  const t = useText(accountTexts);
  const language = useLanguage();
  const player = usePlayer();
  const isMember = player !== null && !player.guest;
  return (
    <div className="stack account">
      <Title>{t.title}</Title>
      <p>{player ? (player.guest ? t.guest(player.name) : t.member(player.name)) : t.nobody}</p>
      {player && (
        <p className="row">
          <span>{t.chips(player.balance.toLocaleString(language))}</span>
          <a className="button small" href={link("player", player.name)}>
            {t.profile}
          </a>
        </p>
      )}
      {player && (
        <p className="row">
          <Action className="button" run={() => connection.logout()}>
            {isMember ? t.logOut : t.forget}
          </Action>
          {!isMember && <span className="soft small">{t.forgetWhy}</span>}
        </p>
      )}
      {!isMember && (
        <>
          <Credentials
            title={t.logIn}
            {...(player ? { why: t.logInWhy } : {})}
            send={(name, password) => connection.login(name, password)}
          />
          <Credentials
            title={t.register}
            why={t.registerWhy}
            isNew
            send={(name, password) => connection.register(name, password)}
          />
        </>
      )}
    </div>
  );
}

interface Props {
  title: string;
  why?: string;
  isNew?: boolean;
  send: (name: string, password: string) => Promise<void>;
}

function Credentials({ title, why, isNew = false, send }: Props) {
  const t = useText(accountTexts);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form
      className="card stack"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(send(name, password));
      }}
    >
      <h2>{title}</h2>
      {why && <p className="soft">{why}</p>}
      <label className="field">
        <span>{t.name}</span>
        <input
          required
          maxLength={32}
          autoComplete="username"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label className="field">
        <span>{t.password}</span>
        <input
          required
          type="password"
          minLength={6}
          maxLength={128}
          autoComplete={isNew ? "new-password" : "current-password"}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </label>
      <p>
        <button type="submit" className="button primary">
          {title}
        </button>
      </p>
    </form>
  );
}
