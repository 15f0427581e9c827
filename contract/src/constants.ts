/** Business constants. */

/** The default name and categories of a market. The settings have the current ones. */
export const MARKET_NAME = 'Sought'
export const CATEGORIES = [
  'Electronics',
  'Home & Garden',
  'Automotive',
  'Fashion',
  'Sports',
  'Music',
  'Books & Media',
  'Other',
] as const

/** The policies whose texts an operator can replace. */
export const POLICIES = ['terms_of_service', 'privacy_policy', 'refund_policy', 'dispute_resolution'] as const
export type Policy = (typeof POLICIES)[number]

/** Policies that users must accept in the version in force before they post, offer or pay. */
export const CONSENT_POLICIES = ['terms_of_service', 'privacy_policy'] as const satisfies readonly Policy[]

/**
 * - open: everything works.
 * - read_only: nothing can be changed, except by signing in and out and in the settings.
 * - maintenance: only admins can use the market.
 */
export const MARKET_MODES = ['open', 'read_only', 'maintenance'] as const

/** The largest budget in main units, unless the provider takes more in its currency. */
export const BUDGET_MAX = 20_000_000

export const CATEGORY_MAX_LENGTH = 50
export const CATEGORIES_MAX = 50

export const SELLER_COUNTRIES = ['MY', 'US', 'CA', 'GB', 'AU', 'DE', 'FR'] as const

export const OFFER_EXPIRY_DAYS = 7

/** A request is open this long after it was posted or last renewed. */
export const REQUEST_OPEN_DAYS = 60
/** The owner is asked this long before the end whether to renew the request. */
export const EXPIRY_NOTICE_DAYS = 7

/** Renewing a request moves it to the top of the board only if it was posted or last moved this long ago. */
export const RENEW_AFTER_DAYS = 7

/** Limits for a seller's keywords. */
export const SELLING_KEYWORDS_MAX = 20
export const KEYWORD_MIN_LENGTH = 2
export const KEYWORD_MAX_LENGTH = 40

/** The number of recently viewed requests that a browser remembers. */
export const VIEWED_REQUESTS_MAX = 12

/** The results of a search are counted up to this number. */
export const SEARCH_COUNT_MAX = 100

export const MESSAGE_MAX_LENGTH = 5000
export const SUPPORT_MESSAGE_MAX_LENGTH = 5000

export const PASSWORD_MIN_LENGTH = 6
export const NAME_MAX_LENGTH = 50
export const EMAIL_MAX_LENGTH = 254
export const PASSWORD_MAX_LENGTH = 200

export const AVATAR_MAX_BYTES = 5 * 1024 * 1024
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024
export const IMAGE_MEGAPIXELS_MAX = 40
/** Per request. */
export const IMAGES_MAX = 6
export const ALT_TEXT_MAX_LENGTH = 200
/** Per message or offer. */
export const PHOTOS_MAX = 4
export const EVIDENCE_MAX_BYTES = 10 * 1024 * 1024
export const EVIDENCE_MAX_FILES = 5

/** The IP address of a purchase is erased this long after the deal ended. Chargebacks come within that time. */
export const PURCHASE_IP_KEPT_DAYS = 180

export const USER_CACHE_MS = 5 * 60_000
export const MESSAGES_STALE_MS = 30_000
/**
 * After a page load, a screen that opens within this time uses the data in the page. Later it fetches the data again.
 */
export const PAGE_DATA_FRESH_MS = 10_000

/** The element of the page that contains the replies to the first calls of a visit. */
export const PAGE_DATA_ID = 'page-data'

/** Limits for the reports that browsers send about errors. The server keeps only a part of each report. */
export const BROWSER_ERROR_MAX_LENGTHS = { message: 500, stack: 4000, path: 200 }
