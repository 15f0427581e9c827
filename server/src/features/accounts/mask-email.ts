/** Enough to recognise one's own address: 'a•••@example.com'. For links, which may be forwarded. */
export const maskEmail = (email: string) => email.replace(/^(.).*@/u, '$1•••@')
