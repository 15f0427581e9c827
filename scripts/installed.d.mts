/** For TypeScript: what it uses of installed.mjs. */
export declare const serverFlags: string[]
export declare const serverEnv: Record<string, string>
