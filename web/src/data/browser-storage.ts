type Area = 'localStorage' | 'sessionStorage'

/** What is stored in this browser. Anything that cannot be read counts as missing. */
export function readStored<Stored, Value>(
  key: string,
  parse: (stored: Stored) => Value,
  missing: Value,
  area: Area = 'localStorage',
): Value {
  try {
    const text = window[area].getItem(key)
    return text === null ? missing : parse(JSON.parse(text))
  } catch {
    return missing
  }
}

/** Stores a value, or removes it if it is undefined. The storage may be full or disabled: the app works without it. */
export function writeStored(key: string, value: unknown, area: Area = 'localStorage'): void {
  try {
    if (value === undefined) window[area].removeItem(key)
    else window[area].setItem(key, JSON.stringify(value))
  } catch {
    // Nothing is stored.
  }
}
