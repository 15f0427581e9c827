import * as z from 'zod/mini'
import { findAddressIssues, normalizeAddress } from './address-rules.ts'
import { optionalText, text } from './fields.ts'

/** ISO 3166-1, and Kosovo. */
export const DELIVERY_COUNTRIES: readonly string[] = [
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR',
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP',
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT',
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW',
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG',
  'UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW',
].flatMap((codes) => codes.split(' '))

/** Labels have little space, and a line break in a field could add a line to the label. */
const oneLine = (name: string) =>
  z.refine<string>((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), `The ${name} must be one line`)

/** Fields that a country does not use are empty. address-rules.ts defines which fields each country requires. */
export const DeliveryAddress = z
  .object({
    name: text(100).check(oneLine('name')),
    line1: text(200).check(oneLine('address')),
    line2: z._default(optionalText(200).check(oneLine('address')), ''),
    city: z._default(optionalText(100).check(oneLine('city')), ''),
    region: z._default(optionalText(100).check(oneLine('region')), ''),
    postalCode: z._default(optionalText(20).check(oneLine('postal code')), ''),
    country: z.enum(DELIVERY_COUNTRIES, 'Must be a two-letter country code'),
  })
  .check(
    z.overwrite(normalizeAddress),
    z.superRefine((address, context) => {
      for (const { field, message } of findAddressIssues(address)) {
        context.addIssue({ code: 'custom', path: [field], message, input: address[field] })
      }
    }),
  )

export type DeliveryAddress = z.output<typeof DeliveryAddress>
