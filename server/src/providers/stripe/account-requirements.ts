/*
 * What a seller has to do for each of Stripe's requirements. The names are from
 * https://docs.stripe.com/connect/required-verification-information.
 */

/** Requirements about a person or a company, after its prefix, such as `individual.` or `person_1abc.`. */
const aboutOwner: Record<string, string> = {
  'address.city': 'Enter your address.',
  'address.country': 'Enter your address.',
  'address.line1': 'Enter your address.',
  'address.postal_code': 'Enter your address.',
  'address.state': 'Enter your address.',
  'dob.day': 'Enter your date of birth.',
  'dob.month': 'Enter your date of birth.',
  'dob.year': 'Enter your date of birth.',
  directors_provided: 'Name the directors of your company.',
  email: 'Enter your email address.',
  executives_provided: 'Name the executives of your company.',
  first_name: 'Enter your legal name.',
  full_name_aliases: 'Enter other names that you use.',
  id_number: 'Enter your personal identification number.',
  last_name: 'Enter your legal name.',
  name: 'Enter the legal name of your business.',
  nationality: 'Enter your nationality.',
  owners_provided: 'Name the owners of your company.',
  phone: 'Enter your phone number.',
  political_exposure: 'Say whether you hold a high political office.',
  registration_number: 'Enter the registration number of your business.',
  'relationship.director': 'Say what your role in the company is.',
  'relationship.executive': 'Say what your role in the company is.',
  'relationship.owner': 'Say what your role in the company is.',
  'relationship.percent_ownership': 'Say how much of the company you own.',
  'relationship.title': 'Say what your role in the company is.',
  ssn_last_4: 'Enter the last four digits of your Social Security number.',
  tax_id: 'Enter the tax number of your business.',
  vat_id: 'Enter the VAT number of your business.',
  'verification.additional_document': 'Upload a document that shows your address.',
  'verification.document': 'Upload a picture of your identity document.',
  'verification.proof_of_liveness': 'Take a picture of yourself, to show that the document is yours.',
}

const aboutAccount: Record<string, string> = {
  business_profile: 'Describe what you sell.',
  business_type: 'Say whether you sell as a person or as a company.',
  'company.verification.document': 'Upload a document that shows that your company exists.',
  documents: 'Upload a document about your business or bank account.',
  external_account: 'Add the bank account that receives your money.',
  'settings.payments.statement_descriptor': 'Enter the name for bank statements.',
  tos_acceptance: 'Accept the terms of Stripe.',
}

const OTHER = 'Answer a question of Stripe about your account.'

/** The longest known beginning of the field decides, so that details which Stripe adds are understood as well. */
export function describeRequirement(field: string): string {
  return findLongest(aboutAccount, field) ?? findLongest(aboutOwner, withoutOwner(field)) ?? OTHER
}

const withoutOwner = (field: string) => field.slice(field.indexOf('.') + 1)

function findLongest(texts: Record<string, string>, field: string): string | undefined {
  const steps = field.split('.')
  for (let length = steps.length; length > 0; length--) {
    const name = steps.slice(0, length).join('.')
    if (Object.hasOwn(texts, name)) return texts[name]
  }
  return undefined
}
