/** What an intent needs besides its payment and amount. */
export const INTENT_OF_LAMP = {
  offerId: 1,
  wantedItemId: 1,
  title: 'Lamp',
  currency: 'usd' as const,
  transactionNumber: '4F7K-Q2MX-9TBD',
  methods: ['card'],
  details: { customerId: null, receiptEmail: null, shipTo: null },
}
