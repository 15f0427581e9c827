import * as React from 'react'

// React takes a stack trace of every element for its warnings, until it has taken 10,000 in a second. Tests do not need
// them, so this limit always counts as reached.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} })
