import {
  DELIVERY_METHODS,
  type DeliveryMethod,
  SHIP_WITHIN_DAYS_DEFAULT,
  SHIP_WITHIN_DAYS_MAX,
  SHIP_WITHIN_DAYS_MIN,
} from '@sought/escrow/delivery'
import { plural } from '../../../format/plural.ts'
import { Select, toOptions } from '../../../ui/forms/select.tsx'

const methods = {
  arranged: { label: 'We arrange it in messages', hint: 'Agree on the delivery before the buyer pays.' },
  shipping: {
    label: 'I ship it',
    hint: 'You get the address once the buyer has paid. If you don’t ship in time, the buyer can cancel.',
  },
  in_person: {
    label: 'I hand it over in person',
    hint: 'The buyer shows you a code when you meet. With it, you are paid at once.',
  },
} satisfies Record<DeliveryMethod, { label: string; hint: string }>

const methodOptions = toOptions(
  Object.fromEntries(DELIVERY_METHODS.map((method) => [method, methods[method].label])),
)

const dayOptions = Array.from({ length: SHIP_WITHIN_DAYS_MAX - SHIP_WITHIN_DAYS_MIN + 1 }, (_, index) => ({
  value: String(SHIP_WITHIN_DAYS_MIN + index),
  label: `${plural(SHIP_WITHIN_DAYS_MIN + index, 'day')} after payment`,
}))

interface Entry<Value> {
  value: Value | undefined
  onValueChange: (value: Value | undefined) => void
}

interface Props {
  method: Entry<DeliveryMethod>
  days: Entry<number>
}

/** The delivery method, and for a parcel the shipping time. */
export function DeliveryChoice({ method: { value: method = 'arranged', onValueChange }, days }: Props) {
  const choose = (chosen: DeliveryMethod) => {
    onValueChange(chosen)
    days.onValueChange(chosen === 'shipping' ? SHIP_WITHIN_DAYS_DEFAULT : undefined)
  }
  return (
    <>
      <Select
        label="Delivery"
        hint={methods[method].hint}
        options={methodOptions}
        value={method}
        onChange={({ target }) => choose(target.value as DeliveryMethod)}
      />
      {days.value !== undefined && (
        <Select
          label="Ship within"
          options={dayOptions}
          value={String(days.value)}
          onChange={({ target }) => days.onValueChange(Number(target.value))}
        />
      )}
    </>
  )
}
