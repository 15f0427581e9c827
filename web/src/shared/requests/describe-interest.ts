import { plural } from '../../format/plural.ts'
/** Both are counted without tracking visitors, and shown only to the owner. */
export function describeInterest({ views, contacts }: { views: number; contacts: number }): string {
  return `${plural(views, 'view')}, ${plural(contacts, 'contact')}`
}
