/** Both are counted without tracking visitors, and shown only to the owner. */
export function describeInterest({ views, contacts }: { views: number; contacts: number }): string {
  return `${views} ${views === 1 ? 'view' : 'views'}, ${contacts} ${contacts === 1 ? 'contact' : 'contacts'}`
}
