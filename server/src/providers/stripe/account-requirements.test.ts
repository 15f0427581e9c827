import { expect, test } from 'vitest'
import { describeRequirement } from './account-requirements.ts'

test.each([
  ['individual.dob.day', 'Enter your date of birth.'],
  ['person_1AbC.verification.document', 'Upload a picture of your identity document.'],
  ['representative.address.line1', 'Enter your address.'],
  ['company.tax_id', 'Enter the tax number of your business.'],
  ['company.verification.document', 'Upload a document that shows that your company exists.'],
  ['business_profile.url', 'Describe what you sell.'],
  ['external_account', 'Add the bank account that receives your money.'],
  ['tos_acceptance.ip', 'Accept the terms of Stripe.'],
  ['interv_1.something_new', 'Answer a question of Stripe about your account.'],
])('%s means: %s', (field, what) => {
  expect(describeRequirement(field)).toBe(what)
})
