/** What a scanner says about some bytes: 'unknown' if it gives no answer, which never counts as clean. */
export type Verdict = 'clean' | 'unknown' | { infection: string }

export interface VirusScanner {
  /** Never throws. */
  scan(bytes: Uint8Array): Promise<Verdict>
}
