import { useMemo } from "react";
import { useLanguage } from "../../text/text.ts";

/** Numbers of chips in the player's language: in full, short enough for a chip, and with a sign. */
export function useChipFormat() {
  const language = useLanguage();
  return useMemo(() => {
    const full = new Intl.NumberFormat(language);
    const short = new Intl.NumberFormat(language, { notation: "compact" });
    const signed = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
    return {
      full: (chips: number) => full.format(chips),
      short: (chips: number) => short.format(chips),
      signed: (chips: number) => signed.format(chips),
    };
  }, [language]);
}
