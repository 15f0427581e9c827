import { ITEM_STATUSES } from '@sought/escrow/reservation'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import {
  ALT_TEXT_MAX_LENGTH,
  CATEGORY_MAX_LENGTH,
  IMAGE_MAX_BYTES,
  IMAGES_MAX,
  MESSAGES_STALE_MS,
  VIEWED_REQUESTS_MAX,
} from './constants.ts'
import { Currency } from './currency-code.ts'
import {
  Id,
  idList,
  mustBeStorable,
  optionalText,
  PathId,
  pageLimit,
  Timestamp,
  text,
  UserId,
} from './fields.ts'
import { budgetsFit, fitsSort, ListCursor, requestFilters, Urgency } from './request-filters.ts'

const call = callsOf({ subjects: ['requests'] })

/** The server checks it against the market's categories. */
export const Category = z
  .string('Category is required')
  .check(
    mustBeStorable,
    z.minLength(1, 'Category is required'),
    z.maxLength(CATEGORY_MAX_LENGTH, 'Category is required'),
  )

/** In main units, with at most two decimals. The server checks it against the rules of its currency. */
const Budget = z.number().check(
  z.gte(0, 'Must be 0 or more'),
  z.refine((value) => Math.round(value * 100) / 100 === value, 'Must have at most two decimals'),
)

const ImageUrl = z
  .string()
  .check(
    mustBeStorable,
    z.maxLength(2000),
    z.regex(/^(https?:\/\/[!-~\u00a1-\uffff]+|\/files\/[\w.-]+)$/i, 'Must be a web address'),
  )

const NewImage = z.object({ url: ImageUrl, alt: z._default(optionalText(ALT_TEXT_MAX_LENGTH), '') })

export const NewWantedItem = z
  .object({
    title: text(120, 'Title is required'),
    description: text(5000, 'Description is required'),
    category: Category,
    minBudget: z._default(Budget, 0),
    maxBudget: z._default(Budget, 0),
    /** By default, the first one of the market, or what the request has. Fixed at the first offer. */
    currency: z.optional(Currency),
    location: text(100, 'Location is required'),
    urgency: z._default(Urgency, 'medium'),
    /** The first one is shown in lists. */
    images: z.optional(
      z.array(NewImage).check(z.maxLength(IMAGES_MAX, `Must be at most ${IMAGES_MAX} pictures`)),
    ),
    /** For a request with one picture. Ignored if there are `images`. */
    imageUrl: z.optional(z.nullable(z.union([z.literal(''), ImageUrl]))),
  })
  .check(
    z.refine((item) => item.maxBudget === 0 || item.minBudget <= item.maxBudget, {
      error: 'The minimum is above the maximum',
      path: ['minBudget'],
    }),
  )

/** A displayed picture. Its size is unknown if an earlier release stored it. */
export const Picture = z.object({
  url: z.string(),
  alt: z.string(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
})
export type Picture = z.output<typeof Picture>

export const WantedItem = z.object({
  id: Id,
  title: z.string(),
  description: z.string(),
  category: z.string(),
  minBudget: z.number(),
  maxBudget: z.number(),
  currency: Currency,
  location: z.string(),
  urgency: Urgency,
  /** As the owner entered them. */
  images: z.array(z.object({ url: z.string(), alt: z.string() })),
  /**
   * The displayed pictures: uploads, and our copies of pictures on other sites. Those that are not copied yet are
   * missing.
   */
  pictures: z.array(Picture),
  /** The first of `images`. */
  imageUrl: z.nullable(z.string()),
  /** The displayed address. Null if there is none yet. */
  pictureUrl: z.nullable(z.string()),
  userId: UserId,
  /** Reserved while a payment for it is in escrow. An open request expires at `expiresAt`. */
  status: z.enum(ITEM_STATUSES),
  createdAt: Timestamp,
  /** When the owner last moved it to the top of the board. */
  renewedAt: z.nullable(Timestamp),
  /** 60 days after it was posted or last renewed. */
  expiresAt: Timestamp,
  /** The position of the request on the board. Equal to the id until it is renewed. */
  position: Id,
  /** Counts what the request has said. An offer can name the one it was made for. */
  version: Id,
  user: PublicUser,
})
export type WantedItem = z.output<typeof WantedItem>

/** Adds numbers that only the owner sees: views by others, and people who sent a message or an offer. */
const ViewedWantedItem = z.extend(WantedItem, { views: z.optional(z.int()), contacts: z.optional(z.int()) })
export type ViewedWantedItem = z.output<typeof ViewedWantedItem>

/** The item in a message or a payment. */
export const ItemSummary = z.object({
  id: Id,
  title: z.string(),
  category: z.string(),
  imageUrl: z.nullable(z.string()),
  pictureUrl: z.nullable(z.string()),
  userId: UserId,
  minBudget: z.number(),
  maxBudget: z.number(),
  currency: Currency,
})

/** What a request said at one time. Offers answer a version, and deals stay with theirs (ADR 93). */
export const RequestVersion = z.object({
  version: Id,
  title: z.string(),
  description: z.string(),
  category: z.string(),
  minBudget: z.number(),
  maxBudget: z.number(),
  currency: Currency,
  pictures: z.array(Picture),
})
export type RequestVersion = z.output<typeof RequestVersion>

/** The item of a deal, as agreed. */
export const AgreedItem = z.extend(RequestVersion, ItemSummary.shape)
export type AgreedItem = z.output<typeof AgreedItem>

const itemFilter = {
  ...requestFilters,
  /** Excludes the requests of the signed-in user. */
  mine: z.optional(z.literal('hide')),
}

export const listWantedItems = call({
  method: 'GET',
  path: '/api/wanted-items',
  access: 'public',
  summary: 'Lists open requests, the last posted or renewed first unless sorted otherwise',
  query: z
    .object({
      ...itemFilter,
      limit: pageLimit(50, 100),
      /** The cursor of the last item on the previous page (`cursorAfter`). */
      cursor: z.optional(ListCursor),
    })
    .check(
      budgetsFit,
      z.refine(({ cursor, sort }) => !cursor || fitsSort(cursor, sort), {
        error: 'Must be a cursor of a list with the same sort order',
        path: ['cursor'],
      }),
    ),
  reply: z.array(WantedItem),
})

export const countWantedItems = call({
  method: 'GET',
  path: '/api/wanted-items/count',
  access: 'public',
  summary: 'Counts open requests, up to 100',
  query: z.object(itemFilter).check(budgetsFit),
  /** `isMore` means that there are more than `count`. */
  reply: z.object({ count: z.int(), isMore: z.boolean() }),
})

export const getWantedItem = call({
  method: 'GET',
  path: '/api/wanted-items/:id',
  access: 'public',
  about: ['requests', 'offers', 'payments'],
  fresh: MESSAGES_STALE_MS,
  summary: 'Gets a request, for its owner with the numbers of views and contacts',
  params: z.object({ id: PathId }),
  reply: ViewedWantedItem,
  refuses: ['item_not_found', 'item_removed'],
})

export const listSimilarWantedItems = call({
  method: 'GET',
  path: '/api/wanted-items/:id/similar',
  access: 'public',
  summary: 'Lists up to 6 other open requests with a similar title or the same category, most similar first',
  params: z.object({ id: PathId }),
  reply: z.array(WantedItem),
  refuses: ['item_not_found'],
})

export const listWantedItemsById = call({
  method: 'GET',
  path: '/api/wanted-items/by-id',
  access: 'public',
  fresh: 'on open',
  summary: 'Lists the given requests in the given order; deleted ones are left out',
  query: z.object({ ids: idList(VIEWED_REQUESTS_MAX) }),
  reply: z.array(WantedItem),
})

export const postWantedItem = call({
  method: 'POST',
  path: '/api/wanted-items',
  access: 'user',
  summary: 'Posts a request',
  body: NewWantedItem,
  reply: WantedItem,
  status: 201,
  refuses: [
    'image_not_found',
    'currency_not_available',
    'restricted',
    'too_many_requests',
    'policy_not_accepted',
    'too_many',
  ],
})

const onItem = { params: z.object({ id: PathId }) }

export const editWantedItem = call({
  ...onItem,
  method: 'PUT',
  path: '/api/wanted-items/:id',
  access: 'user',
  changes: ['requests', 'offers'],
  summary: 'Changes a request that is neither reserved nor fulfilled, as its owner',
  body: NewWantedItem,
  reply: WantedItem,
  refuses: [
    'item_not_found',
    'not_your_item',
    'item_reserved',
    'item_fulfilled',
    'image_not_found',
    'currency_not_available',
    'currency_fixed',
    'too_many',
  ],
})

export const listRequestVersions = call({
  ...onItem,
  method: 'GET',
  path: '/api/wanted-items/:id/versions',
  access: 'user',
  about: ['requests', 'offers'],
  fresh: 'on open',
  summary: 'Lists what a request has said, oldest first, for its owner, sellers with an offer and admins',
  reply: z.array(z.extend(RequestVersion, { createdAt: Timestamp })),
  refuses: ['item_not_found'],
})

export const closeWantedItem = call({
  ...onItem,
  method: 'POST',
  path: '/api/wanted-items/:id/close',
  access: 'user',
  summary: 'Closes a request, as its owner',
  reply: WantedItem,
  refuses: ['item_not_found', 'not_your_item', 'item_reserved', 'item_fulfilled'],
})

export const reopenWantedItem = call({
  ...onItem,
  method: 'POST',
  path: '/api/wanted-items/:id/reopen',
  access: 'user',
  summary: 'Reopens a closed request, as its owner. Renews it if it has expired',
  reply: WantedItem,
  refuses: [
    'item_not_found',
    'not_your_item',
    'item_reserved',
    'item_fulfilled',
    'currency_not_available',
    'restricted',
    'too_many_requests',
    'too_many',
  ],
})

export const renewWantedItem = call({
  ...onItem,
  method: 'POST',
  path: '/api/wanted-items/:id/renew',
  access: 'user',
  summary:
    'Opens a request for another 60 days, as its owner, and moves it to the top of the board at most once in 7 days',
  reply: WantedItem,
  refuses: [
    'too_many_requests',
    'item_not_found',
    'not_your_item',
    'item_not_open',
    'item_reserved',
    'item_fulfilled',
    'currency_not_available',
    'restricted',
    'too_many',
  ],
})

export const uploadItemImage = call({
  method: 'POST',
  path: '/api/wanted-items/image',
  access: 'user',
  changes: [],
  summary: 'Uploads an image for a request: JPEG, PNG, WebP or GIF, re-encoded without metadata',
  upload: { field: 'image', maxBytes: IMAGE_MAX_BYTES },
  reply: z.object({ imageUrl: z.string() }),
  status: 201,
  refuses: ['too_large', 'file_infected', 'not_an_image', 'too_many'],
})

export const listCategories = call({
  method: 'GET',
  path: '/api/categories',
  access: 'public',
  about: ['market'],
  summary: 'Lists the categories of requests',
  reply: z.array(z.object({ name: z.string() })),
})

export const listOwnWantedItems = call({
  method: 'GET',
  path: '/api/user/wanted-items',
  access: 'user',
  fresh: 'on open',
  summary: 'Lists the requests of the signed-in user, newest first',
  query: z.object({ limit: pageLimit(100, 100), cursor: z.optional(PathId) }),
  reply: z.array(WantedItem),
})
