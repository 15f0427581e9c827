/** Texts one after the other in UTF-8, which takes much less memory than an array of strings. */
export interface TextTable {
  bytes: Uint8Array<ArrayBuffer>
  /** The offset at which each text starts, followed by the offset at which the last one ends. */
  starts: Uint32Array<ArrayBuffer>
}

export function packTexts(texts: readonly string[]): TextTable {
  const starts = new Uint32Array(texts.length + 1)
  texts.forEach((text, at) => {
    starts[at + 1] = (starts[at] ?? 0) + Buffer.byteLength(text)
  })
  const bytes = new Uint8Array(starts.at(-1) ?? 0)
  const encoder = new TextEncoder()
  texts.forEach((text, at) => {
    encoder.encodeInto(text, bytes.subarray(starts[at]))
  })
  return { bytes, starts }
}

const decoder = new TextDecoder()

export const textAt = ({ bytes, starts }: TextTable, at: number): string =>
  decoder.decode(bytes.subarray(starts[at], starts[at + 1]))

/** The index of the first sorted text that is not less than this one. */
export function lowerBound(sorted: TextTable, text: string): number {
  let [low, high] = [0, sorted.starts.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (textAt(sorted, middle) < text) low = middle + 1
    else high = middle
  }
  return low
}
