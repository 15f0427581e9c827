import { plural } from '../../format/plural.ts'
/** Only the owner sees the number of views and contacts. They are counted without tracking visitors. */
export function describeInterest({ views, contacts }: { views: number; contacts: number }): string {
  return `${plural(views, 'view')}, ${plural(contacts, 'contact')}`
}
