/*
 * The carriers that a seller can choose, and their tracking pages. A tracking number becomes part of a link that
 * the buyer opens, so only letters and digits are accepted.
 */

export const CARRIERS = [
  'ups',
  'usps',
  'fedex',
  'dhl',
  'royal_mail',
  'deutsche_post',
  'la_poste',
  'canada_post',
  'australia_post',
  'pos_malaysia',
  'jnt',
  'ninja_van',
  'other',
] as const

export type Carrier = (typeof CARRIERS)[number]

interface CarrierFacts {
  name: string
  /** The start of a parcel's tracking page. The number is appended. */
  trackingPage: string | null
}

const carriers: Record<Carrier, CarrierFacts> = {
  ups: { name: 'UPS', trackingPage: 'https://www.ups.com/track?tracknum=' },
  usps: { name: 'USPS', trackingPage: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
  fedex: { name: 'FedEx', trackingPage: 'https://www.fedex.com/fedextrack/?trknbr=' },
  dhl: { name: 'DHL', trackingPage: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=' },
  royal_mail: {
    name: 'Royal Mail',
    trackingPage: 'https://www.royalmail.com/track-your-item#/tracking-results/',
  },
  deutsche_post: {
    name: 'Deutsche Post',
    trackingPage: 'https://www.deutschepost.de/de/s/sendungsverfolgung.html?piececode=',
  },
  la_poste: { name: 'La Poste', trackingPage: 'https://www.laposte.fr/outils/suivre-vos-envois?code=' },
  canada_post: {
    name: 'Canada Post',
    trackingPage: 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=',
  },
  australia_post: {
    name: 'Australia Post',
    trackingPage: 'https://auspost.com.au/mypost/track/#/details/',
  },
  pos_malaysia: { name: 'Pos Malaysia', trackingPage: 'https://tracking.pos.com.my/tracking/' },
  jnt: { name: 'J&T Express', trackingPage: 'https://www.jtexpress.my/tracking/' },
  ninja_van: { name: 'Ninja Van', trackingPage: 'https://www.ninjavan.co/en-my/tracking?id=' },
  other: { name: 'Other', trackingPage: null },
}

export const getCarrierName = (carrier: Carrier): string => carriers[carrier].name

const isCarrier = (carrier: string): carrier is Carrier => Object.hasOwn(carriers, carrier)

/**
 * Letters and digits, which cover the formats of all carriers. The longest are those of USPS with a postal code.
 */
const TRACKING_NUMBER = /^[A-Z0-9]{5,40}$/

/** Removes the spaces, dashes and dots that labels print between groups. */
export const normalizeTrackingNumber = (number: string): string =>
  number.replace(/[\s\p{Pd}.]/gu, '').toUpperCase()

export const isTrackingNumber = (number: string): boolean => TRACKING_NUMBER.test(number)

/** The carrier's page about a parcel. Null if we do not know it. */
export function getTrackingUrl(carrier: string, number: string | null): string | null {
  if (!number || !isTrackingNumber(number) || !isCarrier(carrier)) return null
  const { trackingPage } = carriers[carrier]
  return trackingPage && trackingPage + encodeURIComponent(number)
}

/** The carrier's status of a parcel. */
export const TRACKING_STATUSES = [
  'unknown',
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'return_to_sender',
  'failure',
] as const

export type TrackingStatus = (typeof TRACKING_STATUSES)[number]
