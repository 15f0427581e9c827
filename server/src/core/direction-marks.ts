/** Removes Unicode direction overrides, which would reverse the text that follows, such as an amount. */
export const removeDirectionMarks = (text: string) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
