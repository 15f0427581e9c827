import { listPlaces } from '@sought/contract/places'
import { useState } from 'react'
import { useRead } from '../../lib/calls.ts'
import { Combobox, type ComboboxProps } from '../../ui/combobox.tsx'

/** A shorter text would suggest any place. */
const MIN_LENGTH = 2

/** A place of the gazetteer, or any text. Suggestions come once something is typed. */
export function PlaceField({ value, onValueChange, ...field }: Omit<ComboboxProps, 'suggestions'>) {
  const [isTyped, setIsTyped] = useState(false)
  const search = value.trim()
  const places = useRead(
    listPlaces,
    { query: { search } },
    { enabled: isTyped && search.length >= MIN_LENGTH },
  )
  const names = new Set(places.data?.map(({ name }) => name))
  names.delete(search)
  return (
    <Combobox
      maxLength={100}
      value={value}
      onValueChange={(text) => {
        setIsTyped(true)
        onValueChange(text)
      }}
      suggestions={[...names]}
      {...field}
    />
  )
}
