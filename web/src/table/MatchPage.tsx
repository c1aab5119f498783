import { useEffect, useState } from "react";
import { go } from "../routes.ts";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { Refusal } from "../wire/connection.ts";
import { connection } from "../wire/session.ts";
import { tableTexts } from "./texts.ts";

/** The way in for whoever got a user's number and a key from a portal. */
export function MatchPage({ uid, matchKey }: { uid: number; matchKey: string }) {
  const t = useText(tableTexts);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    connection.request("claim_match", { uid, key: matchKey }).then(
      ({ table }) => go("table", table),
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        setRefusal(error);
      },
    );
  }, [uid, matchKey]);
  return refusal ? <RefusalText refusal={refusal} /> : <p role="status">{t.claiming}</p>;
}
