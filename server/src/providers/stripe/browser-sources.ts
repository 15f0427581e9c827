const SCRIPTS = ['https://js.stripe.com', 'https://*.js.stripe.com']
const MAPS = 'https://maps.googleapis.com'
const LINK = ['https://link.com', 'https://*.link.com']

/**
 * What the content security policy must allow for Stripe's payment form: the list in Stripe's security guide with that
 * for Link, and the address to which the form reports its errors (ADR 25).
 */
export const STRIPE_SOURCES = {
  'script-src': [...SCRIPTS, MAPS],
  'connect-src': ['https://api.stripe.com', 'https://r.stripe.com', MAPS, ...LINK],
  'frame-src': [...SCRIPTS, 'https://hooks.stripe.com', ...LINK],
  'img-src': ['https://*.link.com'],
}

/** Wallets open from these frames, which need the permission `payment`. */
export const PAYMENT_FRAMES = SCRIPTS
