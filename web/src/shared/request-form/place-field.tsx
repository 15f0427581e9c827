import { listPlaces } from '@sought/contract/places'
import { useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { Combobox, type ComboboxProps } from '../../ui/forms/combobox.tsx'

/** A shorter text would match too many places. */
const MIN_LENGTH = 2

/** A place from the gazetteer, or any text. Suggestions appear while typing. */
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
