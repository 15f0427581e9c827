/** The keys of SESSION_SECRET or DATA_KEY (ADR 105). */
export interface Keys {
  /** Every key reads what it has written. */
  readonly all: readonly string[]
  /** The key that writes: the first one, unless running processes do not have it yet. */
  writing(): string
  writeWith(key: string): void
}

export function createKeys(all: readonly string[]): Keys {
  let [writing = ''] = all
  return {
    all,
    writing: () => writing,
    writeWith(key) {
      writing = key
    },
  }
}
