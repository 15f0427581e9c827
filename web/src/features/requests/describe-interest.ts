/** Both are counted without following visitors, and shown only to the owner. */
export function describeInterest({ views, contacts }: { views: number; contacts: number }): string {
  return `${views} ${views === 1 ? 'view' : 'views'}, ${contacts} ${contacts === 1 ? 'contact' : 'contacts'}`
}
