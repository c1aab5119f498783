import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./shell/App.tsx";
import { challenges } from "./shell/challenges.ts";
import { keptTheme, showTheme } from "./shell/theme.ts";
import { currentLanguage } from "./text/text.ts";
import { connection } from "./wire/session.ts";

showTheme(keptTheme());
currentLanguage();
challenges.listen(connection);
connection.open();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
