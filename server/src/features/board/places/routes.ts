import * as calls from '@sought/contract/places'
import { on, type Route } from '../../../http/route.ts'
import { suggestPlaces } from './actions.ts'

export const placeRoutes = (): Route[] => [on(calls.listPlaces)(({ query }) => suggestPlaces(query.search))]
