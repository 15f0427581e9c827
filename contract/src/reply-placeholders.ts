/** Placeholders in saved replies, which are replaced when the reply is inserted. */
export const REPLY_PLACEHOLDERS = ['buyer', 'seller', 'item', 'amount', 'transaction'] as const
type Placeholder = (typeof REPLY_PLACEHOLDERS)[number]

const PLACEHOLDER = /\{([^{}]*)\}/g

const isPlaceholder = (name: string): name is Placeholder =>
  REPLY_PLACEHOLDERS.some((placeholder) => placeholder === name)

/** Unknown words in braces, such as misspelled placeholders. */
export function findUnknownPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).filter((name) => !isPlaceholder(name))
}

/** The known placeholders that still have to be replaced, each once and in braces. */
export function findPlaceholders(text: string): string[] {
  const found = [...text.matchAll(PLACEHOLDER)].filter(([, name = '']) => isPlaceholder(name))
  return [...new Set(found.map(([whole]) => whole))]
}

export type PlaceholderValues = Partial<Record<Placeholder, string>>

/** Inserts each value once, so braces in a title are not replaced again. Placeholders without a value stay. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    isPlaceholder(name) ? (values[name] ?? whole) : whole,
  )
}
