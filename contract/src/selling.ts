import * as z from 'zod/mini'
import { Selling } from './accounts.ts'
import { callsOf } from './call.ts'
import { CATEGORIES_MAX, KEYWORD_MAX_LENGTH, KEYWORD_MIN_LENGTH, SELLING_KEYWORDS_MAX } from './constants.ts'
import { PathId, pageLimit, text } from './fields.ts'
import { Category, WantedItem } from './requests.ts'

const call = callsOf({ subjects: ['account'] })

/** One or more words to search requests for. */
export const Keyword = text(KEYWORD_MAX_LENGTH).check(
  z.minLength(KEYWORD_MIN_LENGTH, `Must be at least ${KEYWORD_MIN_LENGTH} characters`),
  z.refine((keyword) => /[\p{L}\p{N}]/u.test(keyword), 'Must contain a letter or a digit'),
)

export const updateSelling = call({
  method: 'PUT',
  path: '/api/user/selling',
  access: 'user',
  summary:
    'Sets what the signed-in user sells. Keywords that differ only in case are saved once; a missing list counts as empty',
  body: z.object({
    keywords: z._default(
      z
        .array(Keyword)
        .check(z.maxLength(SELLING_KEYWORDS_MAX, `Must be at most ${SELLING_KEYWORDS_MAX} keywords`)),
      [],
    ),
    categories: z._default(z.array(Category).check(z.maxLength(CATEGORIES_MAX)), []),
  }),
  reply: Selling,
})

export const listMatches = call({
  method: 'GET',
  path: '/api/user/matches',
  access: 'user',
  about: ['requests'],
  fresh: 'on open',
  summary:
    'Lists open requests of others that match a keyword or a category of what the signed-in user sells, the last posted or renewed first',
  query: z.object({
    limit: pageLimit(6, 100),
    /** The position of the last item on the previous page. */
    cursor: z.optional(PathId),
  }),
  reply: z.array(WantedItem),
})
