import type { ReviewedAs, ReviewTag } from '@sought/contract/reviews'

export const tagLabels: Record<ReviewTag, string> = {
  friendly: 'Friendly',
  quick_replies: 'Quick replies',
  as_described: 'As described',
  well_packed: 'Well packed',
  shipped_fast: 'Shipped fast',
  fair_price: 'Fair price',
  paid_promptly: 'Paid promptly',
  clear_request: 'Clear request',
  slow_replies: 'Slow replies',
  not_as_described: 'Not as described',
  badly_packed: 'Badly packed',
  shipped_late: 'Shipped late',
  changed_terms: 'Changed the terms',
}

/** The tags for buyers and for sellers. */
export const tagsFor: Record<ReviewedAs, readonly ReviewTag[]> = {
  seller: [
    'friendly',
    'quick_replies',
    'as_described',
    'well_packed',
    'shipped_fast',
    'fair_price',
    'slow_replies',
    'not_as_described',
    'badly_packed',
    'shipped_late',
    'changed_terms',
  ],
  buyer: ['friendly', 'quick_replies', 'paid_promptly', 'clear_request', 'slow_replies', 'changed_terms'],
}
