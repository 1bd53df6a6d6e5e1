"""What came out: judgements, tables, plots and the page of a campaign."""
