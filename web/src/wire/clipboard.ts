/** Only secure contexts have a clipboard; elsewhere the text is there to be selected. */
export const canCopy = (): boolean => "clipboard" in navigator;

/** Whether it was possible: a browser may ask its user, who may say no. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
