import { createHash } from 'node:crypto'
import { previewPaths } from '@sought/contract/paths'

/** What the picture in a link preview shows of a request. */
export interface PreviewedItem {
  id: number
  title: string
  category: string
  location: string
  minBudget: number
  maxBudget: number
  pictureUrl: string | null
}

const VERSION_LENGTH = 10

/** The address changes whenever the picture does, so sites that show links may keep it forever (ADR 69). */
export function previewPath(item: PreviewedItem): string {
  return previewPaths.item(item.id, versionOf(item))
}

function versionOf({ title, category, location, minBudget, maxBudget, pictureUrl }: PreviewedItem): string {
  const shown = [title, category, location, minBudget, maxBudget, pictureUrl]
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, VERSION_LENGTH)
}
