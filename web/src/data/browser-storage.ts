type Area = 'localStorage' | 'sessionStorage'

/** Reads a value that is stored in this browser. A value that cannot be read or parsed counts as missing. */
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

/** Stores a value, or removes it if it is undefined. Does nothing if the storage is full or disabled. */
export function writeStored(key: string, value: unknown, area: Area = 'localStorage'): void {
  try {
    if (value === undefined) window[area].removeItem(key)
    else window[area].setItem(key, JSON.stringify(value))
  } catch {
    // The app works without the stored value.
  }
}
