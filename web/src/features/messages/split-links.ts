interface Link {
  address: URL
  /** The position of the link in the text. */
  start: number
}

const LINK = /(?:https?:\/\/|www\.)[^\s<>"]+/gi
/** Punctuation at the end belongs to the sentence, not to the link. */
const LAST_PUNCTUATION = /[.,;:!?'’)\]}]+$/

/** Splits a text into plain texts and links. */
export function splitLinks(text: string): (string | Link)[] {
  const parts: (string | Link)[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const written = found.replace(LAST_PUNCTUATION, '')
    const address = parseAddress(written)
    if (!address) continue
    parts.push(text.slice(end, index), { address, start: index })
    end = index + written.length
  }
  return [...parts, text.slice(end)].filter((part) => part !== '')
}

function parseAddress(written: string): URL | null {
  const address = /^www\./i.test(written) ? `https://${written}` : written
  return URL.canParse(address) ? new URL(address) : null
}
