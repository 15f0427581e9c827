/** Only the owner sees the number of views and contacts. They are counted without tracking visitors. */
export function describeInterest({ views, contacts }: { views: number; contacts: number }): string {
  return `${views} ${views === 1 ? 'view' : 'views'}, ${contacts} ${contacts === 1 ? 'contact' : 'contacts'}`
}
