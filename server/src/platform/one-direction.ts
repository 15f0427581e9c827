/** Without the signs that turn the direction of writing round for all that follows, an amount in the same sentence too. */
export const inOneDirection = (text: string) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
