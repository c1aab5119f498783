export function VerifyPage(_: { table: number | null; round: number | null; tableKey: string | null }) { return null; }
