"""The OpenAPI document, its schemas and examples, and the page that shows it."""
