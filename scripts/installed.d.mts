/* For TypeScript: what it uses of installed.mjs. */
export const serverFlags: string[]
export const serverEnv: Record<string, string>
