"""Op cases by room: one row a case, run through both op libraries."""
