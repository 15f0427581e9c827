/**
 * Masks an address so that only its owner recognises it: 'a•••@example.com'. Used on pages that open from an
 * emailed link, because the link may be forwarded.
 */
export const maskEmail = (email: string) => email.replace(/^(.).*@/u, '$1•••@')
