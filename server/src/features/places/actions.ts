import { type Point, parsePoint } from '@sought/contract/request-filters'
import { refuse } from '../../platform/errors.ts'

/** The point of a `near` filter. Refuses places that the gazetteer does not have. */
export async function locateNear(near: string): Promise<Point> {
  const point = parsePoint(near)
  if (!point) throw refuse('invalid', { issues: [{ path: 'near', message: 'We do not know this place' }] })
  return point
}
