"use strict";

// Swagger UI has its dark colours below this class, and does not look for what the browser prefers.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// validatorUrl null: the default sends the document's address to a validator elsewhere.
SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.document,
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
